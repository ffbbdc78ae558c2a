// Choosing a name: how it is shown from then on, or why it is refused, in words.

/** @param {string} name @returns {Promise<{name?: string, why?: string}>} */
export async function saveName(name) {
  const body = new URLSearchParams({ name });
  const answer = await fetch("/name", { method: "POST", body, headers: { accept: "application/json" } }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (answer?.ok) return { name: told.name };
  return { why: told?.detail ?? "The connection is lost. Try again." };
}
