"""The timetable: what happens by itself."""
