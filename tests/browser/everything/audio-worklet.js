// An audio worklet.
