// Preact, its hooks and htm under one roof, so that every other module has one line to import.

import { h, render } from "../../vendor/preact.js";
import htm from "../../vendor/htm.js";

export { render };
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/hooks.js";
export const html = htm.bind(h);
