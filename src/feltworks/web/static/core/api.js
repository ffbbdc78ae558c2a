// Reading from the server's API, with the three things that can be: not there yet, there, or an error in words.

import { html, useEffect, useState } from "./html.js";
import { pause } from "./lazy.js";

// What is at a path; while the server is away, `onLost` is told so and it is asked again.
export async function get(path, onLost) {
  for (;;) {
    const answer = await fetch(path, { headers: { accept: "application/json" } }).catch(() => null);
    if (answer?.ok) return answer.json();
    if (answer) throw new Error((await answer.json().catch(() => ({}))).detail ?? "The server could not answer.");
    onLost?.("The connection is lost. Trying again.");
    await pause();
  }
}

// Without a path nothing is asked for.
export function useLoaded(path) {
  const [state, setState] = useState({});
  useEffect(() => {
    if (!path) return undefined;
    let wanted = true;
    const fail = (error) => wanted && setState({ error });
    setState({});
    get(path, fail).then((data) => wanted && setState({ data }), ({ message }) => fail(message));
    return () => (wanted = false);
  }, [path]);
  return state;
}

export const Waiting = ({ error }) => html`<p class="about" role="status">${error ?? "One moment."}</p>`;
