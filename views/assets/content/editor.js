// Ctrl+Enter or ⌘+Enter presses a data-save button.

for (const form of document.querySelectorAll('form')) {
  const button = form.querySelector('button[data-save]');
  if (!(button instanceof HTMLButtonElement)) continue;
  for (const hint of form.querySelectorAll('[data-save-hint]')) hint.removeAttribute('hidden');
  form.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, repeat, isComposing } = event;
    if (key !== 'Enter' || !(ctrlKey || metaKey) || isComposing) return;
    event.preventDefault();
    if (!repeat) button.click();
  });
}
