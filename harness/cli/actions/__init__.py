"""What commands do: functions that return an exit status."""
