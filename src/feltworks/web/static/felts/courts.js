// Jacks, queens and kings: one half figure, twice, in the suit's colour, gold and skin.

import { html } from "../core/html.js";

const HEADS = {
  J: html`
    <path class="hair" d="M-10.5-33C-12-24-10-19-7-17.5L7-17.5C10-19 12-24 10.5-33Z" />
    <path class="skin" d="M-7.2-35H7.2V-26C7.2-20.5 3.5-17.5 0-17.5S-7.2-20.5-7.2-26Z" />
    <path class="robe" d="M-12-34.5C-13-45 12-46.5 13-34.5Z" />
    <path class="gold" d="M-12.5-36.5H13V-33.4H-12.5Z" />
    <path class="gold" d="M9-38C17-41 19-49 15-55 20-50 23-41 12-35Z" />`,
  Q: html`
    <path class="hair" d="M-10-38C-15-30-14-20-16-14H16C14-20 15-30 10-38Z" />
    <path class="skin" d="M-7-37H7V-27.5C7-21.5 3.5-18 0-18S-7-21.5-7-27.5Z" />
    <path class="gold" d="M-11-36.5-13-48-6.5-42.5-3.5-50 0-43 3.5-50 6.5-42.5 13-48 11-36.5Z" />
    <circle class="gold" cx="-13" cy="-49" r="1.7" /><circle class="gold" cx="-3.5" cy="-51" r="1.7" />
    <circle class="gold" cx="3.5" cy="-51" r="1.7" /><circle class="gold" cx="13" cy="-49" r="1.7" />`,
  K: html`
    <path class="hair" d="M-10.5-37C-12-28-11-22-9-19H9C11-22 12-28 10.5-37Z" />
    <path class="skin" d="M-7.5-38H7.5V-26H-7.5Z" />
    <path class="hair" d="M-8-29.5C-5-27 5-27 8-29.5 9-19 5-11.5 0-9.5-5-11.5-9-19-8-29.5Z" />
    <path class="lip" d="M-2.6-23.6H2.6" />
    <path class="gold" d="M-12-36.5V-50L-6-44 0-53.5 6-44 12-50V-36.5Z" />
    <path class="robe" d="M-12-39.3H12V-36H-12Z" />`,
};

const FACE = html`
  <circle class="ink" cx="-3.1" cy="-30" r="1" /><circle class="ink" cx="3.1" cy="-30" r="1" />
  <path class="line" d="M0-29.5V-26.2" />`;

const MOUTH = html`<path class="lip" d="M-2-23H2" />`;

const Half = ({ value, pip }) => html`
  <path class="robe" d="M-27.5 0V-5C-26-14-17-17-8-18H8C17-17 26-14 27.5-5V0Z" />
  <path class="gold" d="M-19.5-15.2-8-18 0-3 8-18 19.5-15.2 6 0H-6Z" />
  <path class="skin" d="M-8-18H8L0-5.5Z" />
  ${HEADS[value]}${FACE}${value !== "K" && MOUTH}
  <path class="sign" d=${pip} transform="translate(20 -48) scale(.62)" />`;

export const Court = ({ value, pip }) => html`
  <g class="court" transform="scale(.92)">
    <rect class="frame" x="-27.5" y="-56" width="55" height="112" rx="2" />
    <${Half} value=${value} pip=${pip} />
    <g transform="rotate(180)"><${Half} value=${value} pip=${pip} /></g>
    <path class="sash" d="M-27.5 2.5 27.5-2.5" />
  </g>`;
