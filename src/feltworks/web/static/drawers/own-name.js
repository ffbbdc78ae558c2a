// Your name, as everybody at the table sees it: chosen here, and refused in words.

import { html, useState } from "../core/html.js";
import { saveName } from "../core/save-name.js";

const HINT = "1 to 20 letters, digits and spaces. Everybody at the table sees it.";

export function OwnName({ name }) {
  const [text, setText] = useState(name);
  const [said, setSaid] = useState({ text: HINT, refused: false });
  const save = async (event) => {
    event.preventDefault();
    const saved = await saveName(text);
    if (saved.name) setText(saved.name);
    setSaid({ text: saved.why ?? "Saved.", refused: Boolean(saved.why) });
  };
  return html`
    <form class="own-name" onSubmit=${save}>
      <div>
        <label>
          <span>Your name</span>
          <input value=${text} maxlength="60" required autocomplete="nickname" aria-describedby="own-name-said"
            onInput=${(event) => setText(event.target.value)} />
        </label>
        <button type="submit" class="copy">Save</button>
      </div>
      <p id="own-name-said" class=${said.refused ? "about refused" : "about"} role="status">${said.text}</p>
    </form>`;
}
