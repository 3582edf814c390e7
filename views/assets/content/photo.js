// Scales a large photo down before it is sent: phones take 12 megapixels, and mobile networks are slow. If this fails,
// the original file is sent, and the server decides about it.

const LONGEST = 2_560;
const BYTES = 2_000_000;
const QUALITY = 0.85;
const TYPES = ['image/jpeg', 'image/png', 'image/webp'];

for (const input of document.querySelectorAll('input[type=file][data-photo]')) {
  if (!(input instanceof HTMLInputElement)) continue;
  /** @type {Promise<void> | undefined} */
  let working;

  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (!file) return;
    const work = shrink(file)
      .then((smaller) => {
        // Another file may have been chosen meanwhile.
        if (smaller && input.files?.[0] === file) put(input, smaller);
      })
      .catch(() => undefined)
      .finally(() => {
        if (working === work) working = undefined;
      });
    working = work;
  });

  input.form?.addEventListener('submit', (event) => {
    const { submitter } = event;
    if (!working) return;
    event.preventDefault();
    void working.then(() => submitter?.click());
  });
}

/**
 * @param {File} file
 * @returns {Promise<File | undefined>} undefined if the original is sent
 */
async function shrink(file) {
  if (!TYPES.includes(file.type)) return undefined;
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  if (scale === 1 && file.size <= BYTES) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = canvas.getContext('2d');
  if (!pen) return undefined;
  // JPEG has no transparency: it would become black.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  // eslint-disable-next-line browsers/features -- Firefox keeps its own quality.
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const blob = await new Promise((/** @type {BlobCallback} */ done) =>
    canvas.toBlob(done, 'image/jpeg', QUALITY),
  );
  if (!blob || blob.size >= file.size) return undefined;
  return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
}

/** @param {HTMLInputElement} input @param {File} file */
function put(input, file) {
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
}
