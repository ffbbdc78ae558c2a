// Unpacks the browser beside this file (TMPDIR names that folder), with the libraries that a bare system lacks.
import chromium, { inflate } from "@sparticuz/chromium";
import { fileURLToPath } from "node:url";

await chromium.executablePath();
await inflate(fileURLToPath(new URL("node_modules/@sparticuz/chromium/bin/al2023.tar.br", import.meta.url)));
