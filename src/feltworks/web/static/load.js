// Reading from the server's API, with the three things that can be: not there yet, there, or an error in words.

import { html, useEffect, useState } from "./html.js";

export async function get(path) {
  const answer = await fetch(path, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).detail ?? "The server could not answer.");
  return answer.json();
}

export function useLoaded(path) {
  const [state, setState] = useState({});
  useEffect(() => {
    let wanted = true;
    setState({});
    get(path).then(
      (data) => wanted && setState({ data }),
      (error) => wanted && setState({ error: error.message }),
    );
    return () => (wanted = false);
  }, [path]);
  return state;
}

export const Waiting = ({ error }) => html`<p class="about" role="status">${error ?? "One moment."}</p>`;
