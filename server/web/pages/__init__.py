"""Pages for people: server-rendered, in every language of ours; they ask no other host for anything."""
