// What came before: the last pockets, rolls or winners, newest first.

import { html } from "../../core/html.js";

export const Past = () => html``;
