import { VERSIONS } from '#test/fixtures/versions/versions.ts';
import { QUICK, testUpgrades } from './upgrade.ts';

testUpgrades(VERSIONS.filter(({ name }) => !QUICK.includes(name)));
