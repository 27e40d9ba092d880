"""What Google's APIs have in common: how they fail, what every call may ask for, partial answers, batches and
the document that clients build themselves from. No product is named here; each is a fake of its own.
"""
