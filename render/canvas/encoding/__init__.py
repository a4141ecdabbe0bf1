"""Pictures as files: PNG for still pictures, WebP for animations."""
