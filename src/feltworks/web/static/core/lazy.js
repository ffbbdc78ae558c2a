// Parts of the page that are fetched when they are first wanted, and again while the server is away.

import { useEffect, useState } from "./html.js";

const AGAIN = 1000;

export const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN));

const failed = {};

// A module of the page, by its path in this folder's parent. Some browsers remember that one could not be fetched: the next
// time it has another name.
export const module = (path) =>
  import(`../${path}${failed[path] ?? ""}`).catch((error) => {
    failed[path] = `${failed[path] ?? "?"}.`;
    throw error;
  });

// A module that could not be fetched is a TypeError; anything else is a fault of the module.
async function fetched(part, onLost) {
  for (;;) {
    try {
      return await part();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      onLost?.();
      await pause();
    }
  }
}

export function useLater(wanted, part, onLost) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    if (wanted && !found) fetched(part, onLost).then((there) => setFound(() => there));
  }, [Boolean(wanted)]);
  return wanted ? found : null;
}

// The style of such a part, which comes with it.
export async function style(path) {
  const href = new URL(`../${path}`, import.meta.url).href;
  for (;;) {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    const there = new Promise((resolve) => Object.assign(link, { onload: () => resolve(true), onerror: () => resolve(false) }));
    document.head.append(link);
    if (await there) return;
    link.remove();
    await pause();
  }
}
