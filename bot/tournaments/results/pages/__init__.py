"""The pages of results, each as a picture and in words."""
