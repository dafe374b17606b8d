"""The Python library pygls as a client: opens a program, hovers, shuts down; prints what it was told."""

import asyncio
import pathlib
import sys

from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient


async def main(civl, path):
    client = BaseLanguageClient("civl-test", "1")
    seen = asyncio.Event()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params):
        for d in params.diagnostics:
            print("DIAGNOSTIC", d.code, d.range.start.line + 1)
            seen.set()

    await client.start_io(civl, "lsp")
    await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    uri = pathlib.Path(path).as_uri()
    text = pathlib.Path(path).read_text()
    item = types.TextDocumentItem(uri=uri, language_id="civl", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    await asyncio.wait_for(seen.wait(), 30)
    hover = await client.text_document_hover_async(
        types.HoverParams(
            text_document=types.TextDocumentIdentifier(uri=uri), position=types.Position(line=0, character=10)
        )
    )
    print("HOVER", hover.contents.value.splitlines()[1])
    await client.shutdown_async(None)
    client.exit(None)
    code = await asyncio.wait_for(client._server.wait(), 10)
    print("EXIT", code)


asyncio.run(main(sys.argv[1], sys.argv[2]))
