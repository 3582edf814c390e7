// A button that enters the place of this device. Browsers tell it only to pages by https or of this computer itself.
import { t } from '../base/texts.js';

const [lat, lon] = ['weather-lat', 'weather-lon'].map((id) => document.getElementById(id));
const here = document.querySelector('[data-here]');
const said = document.querySelector('[data-here-said]');

if (
  window.isSecureContext &&
  'geolocation' in navigator &&
  here instanceof HTMLButtonElement &&
  lat instanceof HTMLInputElement &&
  lon instanceof HTMLInputElement
) {
  /** @param {string} text */
  const say = (text) => {
    if (said) said.textContent = text;
  };
  here.hidden = false;
  here.addEventListener('click', () => {
    say(t('content-admin.place.asking'));
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        // Two decimals are a kilometre, and enough for the weather.
        lat.value = coords.latitude.toFixed(2);
        lon.value = coords.longitude.toFixed(2);
        say(t('content-admin.place.entered'));
      },
      () => say(t('content-admin.place.not_told')),
      { timeout: 15_000, maximumAge: 3_600_000 },
    );
  });
}
