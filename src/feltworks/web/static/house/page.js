// What every page of the house does where scripts run: moments in local time, and parts that keep themselves current.

import { keepCurrent } from "./live.js";
import { inLocalTime } from "./times.js";

if (document.querySelector("[data-live]")) keepCurrent(); // first, while everything is as it was sent
inLocalTime(document);
document.getElementById("refusal")?.scrollIntoView({ block: "center" });
