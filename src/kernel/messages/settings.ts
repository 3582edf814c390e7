/** Texts about environment variables and the club’s settings. */
export const SETTINGS = {
  not_header_name: 'must be the name of a header',
  forbidden_header: 'must not be Authorization, Cookie or Host',
  not_database_id: 'must be a database id of 32 digits',
  not_database_ids: 'must be a comma list of database ids',
  not_file_url: 'must start with file: and name a path',
  not_currency: 'must be the code of a currency such as EUR',
  currency_needed: {
    error: 'needs a currency: this club has none yet. Set `currency` in PUT /api/admin/settings',
    page: 'this club has no currency yet. Choose it in Settings, Drinks and food, and enter the price again',
  },
  confirm_currency: {
    error:
      'is asked about: all prices are kept as they read, in {to} instead of {from}. Send confirm: ["currency"]',
    page: 'Prices are kept as they read, in {to} instead of {from}.',
  },
  confirm_currency_rounded: {
    error:
      'is asked about: all prices are kept as they read, in {to} instead of {from}, and some are rounded ({prices}{more}). Send confirm: ["currency"]',
    page: 'Prices are kept as they read, in {to} instead of {from}. Some are rounded: {prices}{more}.',
  },
  prices_too_high: 'cannot write these prices: {names}',
  not_strength: 'must be per cent by volume from 0 to {max}, with at most one decimal',
  not_language: 'must be the code of a language such as en',
  not_complete_language: {
    error: 'must be a language in which every text exists: {values}',
    page: 'choose one',
  },
  decided_by_environment: 'is decided by whoever runs the server: {variable}',
  not_language_tag: 'must be a language tag such as en-GB or de-DE',
  not_country: 'must be the code of a country such as IE',
  not_time_zone: 'must be an IANA time zone such as America/New_York',
  not_https: 'must be https, or http on a loopback address',
  not_proxies: 'must be `any` or a comma list of addresses and CIDR ranges',
  not_mailer_url: 'must be smtp://host:port, smtps://host:port or file:folder',
  not_sender: 'must be an address, or Name <address>',
  not_plain_ascii: 'must hold no spaces and only ASCII characters',
  not_host_names: 'must be a comma list of host names or addresses, without ports',
  key_too_short: 'must have at least {min} characters in production',
  key_too_short_for_house: {
    error: '{name} must have at least {min} characters before other devices are let in',
  },
  port_taken: 'Another program uses port {port} at {address}',
  cannot_listen: 'This computer does not listen at {address}, port {port} ({code})',
  needed_with_setting: { error: 'is needed with {names}', page: 'this is needed as well' },
  token_of_environment: {
    error: 'The token is decided by whoever runs the server: {variable}',
  },
  needed_with: 'is needed with {names}',
  not_origin:
    'must be the address of a host alone, as https://club.example: without a path, query, # or user name',
  not_http_address_or_empty: 'must be an http address, or empty',
  not_http_address: 'must be an http address',
  not_plain_url: 'must hold no user, password, query or fragment',
  not_on_or_off: 'must be on or off (also 1/0, true/false, yes/no)',
  not_leagues: {
    error: 'must be a comma list of paths such as hockey/nhl',
    page: 'tick at least one; another league is written like hockey/nhl',
  },
  not_http_link: 'must be an address that begins with https://',
  not_colour: 'must be a colour such as #1f4d3a',
  backup_while_voting: {
    error:
      'Voting is open until {until}. A backup made now shows who has voted so far, and two show what came between them: try again after the close, or send now: true',
    page: 'Voting is open. A backup waits for the close, unless you ask for it all the same.',
  },
  nothing_to_back_up: 'The database is in memory: there is nothing to back up',
  backups_for_owners: {
    error: 'A backup is for owners: it holds everything that the club knows',
  },
  not_mail_host: 'must be the name of a server alone, such as smtp.club.example',
  no_test_address: 'is missing: name the address to which the test goes',
  not_encryption: 'must be starttls, tls or none',
  not_certificates:
    'must be certificates, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----',
} as const;
