"""What `/api/openapi.json` says: the addresses to read, the socket, and the shapes of all their messages."""

from typing import Any

from feltworks.web import messages, socket_messages

REFS = "#/components/schemas/{name}"
SOCKET = (
    "A WebSocket for each client at /ws/{table}, JSON in both directions; whoever plays sends the cookie that the lobby"
    " sets. The server says one of the messages under `says`; a client says what is under `hears`."
)


def complete(document: dict[str, Any]) -> None:
    """Put the shapes into the document that was made of a server's addresses."""
    answers, parts = messages.schemas(REFS)
    for path, schema in answers.items():
        [asked] = document["paths"][path].values()
        if path in messages.ASKS:
            asked["requestBody"] = {"required": True, "content": _json(_named(messages.ASKS[path]))}
        told = asked["responses"]
        told["200"]["content"] = _json(schema)
        told["default"] = {"description": "Not answered", "content": _json(_named(messages.Problem))}
    document["components"]["schemas"] |= parts
    says = {"anyOf": [_named(message) for message in socket_messages.SAYS]}
    hears = {"anyOf": [_named(message) for message in socket_messages.HEARS]}
    document["x-websocket"] = {"/ws/{table}": {"description": SOCKET, "says": says, "hears": hears}}


def _named(message: type) -> dict[str, Any]:
    return {"$ref": REFS.format(name=message.__name__)}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
