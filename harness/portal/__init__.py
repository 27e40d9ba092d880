"""The portal: the pages at / where a person sees and steers every world of a server."""
