import { type Html, html } from '#kernel/html.ts';

/** A record: stands where a song has no cover, and lies beneath one that has. */
export function record(): Html {
  return html`<svg class="record" viewBox="0 0 100 100" aria-hidden="true" focusable="false"><circle class="record-edge" cx="50" cy="50" r="40"/>
<circle class="record-groove" cx="50" cy="50" r="33"/><circle class="record-groove" cx="50" cy="50" r="26"/><circle class="record-label" cx="50" cy="50" r="14"/><circle class="record-hole" cx="50" cy="50" r="2.5"/></svg>`;
}
