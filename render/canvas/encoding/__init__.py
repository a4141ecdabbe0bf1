"""Pictures as files: a sheet in the numbers of its colours, as a PNG in cached bands; animations as WebP."""
