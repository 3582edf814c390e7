import { type Html, html } from '#kernel/html.ts';

/** Where the page’s script shows how sending goes on. Without it, the form leads to the page of results. */
export function sendingPanel(back: string): Html {
  const figure = (name: string, label: string) =>
    html`<div><dt>${label}</dt><dd data-count="${name}">0</dd></div>`;
  return html`<section class="card sending" aria-labelledby="sending-title" data-sending hidden>
<h2 id="sending-title" tabindex="-1" data-sending-title>Sending</h2>
<progress class="progress" max="1" value="0" aria-labelledby="sending-title"></progress>
<p role="status" data-sending-status></p>
<dl class="stats">${figure('sent', 'Sent')}${figure('queued', 'Queued')}${figure('known', 'Invited before')}${figure('failed', 'Failed')}</dl>
<p class="notice notice-danger" role="alert" data-sending-problem hidden></p>
<div class="toolbar"><button class="button" type="button" data-sending-retry hidden>Try the failed ones again</button>
<button class="button" type="button" data-sending-go hidden>Go on</button>
<button class="button button-quiet" type="button" data-sending-stop>Stop</button>
<a class="button button-quiet" href="${back}" data-sending-back hidden>Done</a></div>
<div data-sending-failures hidden><h3>Failed</h3><ul class="failures" role="list"></ul></div>
</section>`;
}
