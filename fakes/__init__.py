"""Stateful fakes of workplace products, and the kernel they stand on."""
