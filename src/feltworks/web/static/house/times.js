// Moments are sent in UTC; here they are shown in local time, with UTC on hover.

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** @param {Document | Element} within */
export function inLocalTime(within) {
  const today = day.format(new Date());
  /** @type {NodeListOf<HTMLTimeElement>} */ (within.querySelectorAll("time[datetime]:not([title])")).forEach((place) => {
    const moment = new Date(place.dateTime);
    if (Number.isNaN(moment.getTime())) return;
    const date = day.format(moment);
    place.setAttribute("title", place.textContent ?? "");
    place.replaceChildren(date === today ? clock.format(moment) : `${date}, ${clock.format(moment)}`);
  });
}
