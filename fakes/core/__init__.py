"""The kernel: worlds, their clock, journal and request log, and the gateway in front of them. It names no
product.
"""
