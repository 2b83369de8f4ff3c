"""From a find to the simplest position that still shows it."""
