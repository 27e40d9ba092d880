"""Tools of services for agents, by the Model Context Protocol: what a tool is, and the server that offers
them. `tools` is light; what needs the protocol's library is imported with the first request.
"""
