import type { Generated } from 'kysely';

/** The tables about people. */
export interface PeopleTables {
  persons: PersonsTable;
  addresses: AddressesTable;
  former_addresses: FormerAddressesTable;
  person_roles: PersonRolesTable;
  sign_ins: SignInsTable;
  sessions: SessionsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  oidc_links: OidcLinksTable;
  oidc_flows: OidcFlowsTable;
  club_setup: ClubSetupTable;
  settings: SettingsTable;
  approvals: ApprovalsTable;
}

export interface PersonsTable {
  id: string;
  /** As it is written. */
  name: string;
  /** As it is sorted and searched: lower case, without accents, the family name first where it is known. */
  sort_name: string;
  /** Of a list with a column of family names. */
  family_name: Generated<string | null>;
  /** The name by which they are called, if it is another one. */
  called: string | null;
  /** The club's own number. */
  number: string | null;
  note: string | null;
  /** Identifies the person to authenticators: 32 random bytes. */
  webauthn_id: Uint8Array;
  /** Grows with every change. */
  version: Generated<number>;
  created_at: number;
  /** When everything personal was erased; the row stays. */
  erased_at: number | null;
  /** When they were sent a welcome, which they get once. */
  welcomed_at: Generated<number | null>;
  /** The one that they have chosen for pages and mails, a tag such as `de`; null: none. */
  language: Generated<string | null>;
}

export interface AddressesTable {
  id: string;
  person_id: string;
  /** Lower case; two people may share one. */
  email: string;
  is_primary: 0 | 1;
  /** When the person proved that they read its mail. */
  verified_at: number | null;
  added_by: string;
  added_at: number;
}

/** Addresses that a person had; deleted with the rest when the person is erased. */
export interface FormerAddressesTable {
  person_id: string;
  email: string;
  ended_at: number;
}

export interface PersonRolesTable {
  person_id: string;
  role: string;
  granted_by: string;
  granted_at: number;
  /** When the role expires; null: never. */
  until: number | null;
}

/** A request for a code by mail. */
export interface SignInsTable {
  id: string;
  /** SHA-256 of the cookie of the browser that asked. */
  browser_hash: string;
  /** SHA-256 of the token in the mailed link. */
  link_hash: string;
  /** HMAC of the code: 40 bits would not stay secret behind a hash alone. */
  code_mac: string;
  /** Lower case; possibly an address that no person has. */
  email: string;
  /** Where the browser goes afterwards: a path of this service. */
  next: string | null;
  stay: 0 | 1;
  created_at: number;
  expires_at: number;
  /** Codes tried in the browser that asked, and at the link elsewhere. */
  tries: Generated<number>;
  link_tries: Generated<number>;
  /** When the right code was given. */
  used_at: number | null;
  /** 1: made on the server's shell or by an officer; the link alone signs in, in any browser. */
  link_alone: Generated<0 | 1>;
  /** The person for whom an officer made the link: then `email` is empty. */
  person_id: Generated<string | null>;
  /** The account at an OpenID provider that the code links; null if it only signs in. */
  oidc_issuer: Generated<string | null>;
  oidc_subject: Generated<string | null>;
}

/** A browser in which somebody is signed in. */
export interface SessionsTable {
  /** SHA-256 of the cookie. */
  token_hash: string;
  /** Identifies the session in lists. */
  id: string;
  person_id: string;
  method: 'code' | 'link' | 'set-up' | 'shell' | 'recovery' | 'passkey' | 'oidc' | 'officer';
  /** The address that the proof came by. */
  address_id: string | null;
  /** The passkey that it was made with. */
  passkey_id: string | null;
  /** The link to an account at an OpenID provider that it was made with. */
  oidc_link: Generated<string | null>;
  /** Since when the person has had that address, passkey or link. */
  credential_at: number;
  created_at: number;
  /** The time of the newest request, or up to 15 minutes before it. */
  seen_at: number;
  /** Until when the last proof allows dangerous acts (sudo). */
  sudo_until: number;
  stay: 0 | 1;
  /** The family of the browser, and the network it came from: /24 or /48. */
  browser: string;
  network: string;
}

/** Codes on paper, for when no mail arrives; each works once. */
export interface RecoveryCodesTable {
  code_hash: string;
  person_id: string;
  created_at: number;
  used_at: number | null;
}

/** A public key. The private key is in a device of the person, or wherever that device syncs it to. */
export interface PasskeysTable {
  /** The id of the credential, in base64url. */
  id: string;
  person_id: string;
  public_key: Uint8Array;
  /** Uses, as the authenticator counts them; many stay at 0. */
  counter: number;
  /** How browsers reach it, as a JSON list. */
  transports: string;
  /** The person's own name for it. */
  name: string;
  /** The host that it was made for: it works nowhere else. */
  rp_id: string;
  /** Whether it is synced. */
  backed_up: 0 | 1;
  created_at: number;
  used_at: number | null;
}

/** A challenge that a device has to sign; valid once. */
export interface PasskeyChallengesTable {
  challenge: string;
  /** SHA-256 of the cookie of the browser that asked. */
  browser_hash: string;
  kind: 'sign-in' | 'register';
  /** The person who registers the passkey; null for a sign-in. */
  person_id: string | null;
  expires_at: number;
}

/** An account at an OpenID provider that signs a person in. */
export interface OidcLinksTable {
  id: string;
  /** Exactly as the provider writes it: another spelling is another provider. */
  issuer: string;
  subject: string;
  person_id: string;
  created_at: number;
}

/** A sign-in in progress at the OpenID provider. */
export interface OidcFlowsTable {
  /** SHA-256 of the state. */
  state_hash: string;
  /** SHA-256 of the cookie of the browser that began it. */
  browser_hash: string;
  nonce: string;
  /** The code verifier of PKCE. */
  verifier: string;
  /** Where the browser goes afterwards: a path of this service. */
  next: string | null;
  stay: 0 | 1;
  /** The person who links an account; null for a sign-in. */
  link_person_id: string | null;
  created_at: number;
  expires_at: number;
  /** When the browser came back, which is accepted once. */
  used_at: number | null;
  /** The returned account if it is linked to nobody yet, and the address that the provider has for it. */
  issuer: string | null;
  subject: string | null;
  email: string | null;
  /** The session that needs a fresh proof, and the request that was interrupted for it, as JSON. */
  sudo_session: string | null;
  kept: string | null;
}

/** One row once somebody was made the first owner in the browser. */
export interface ClubSetupTable {
  id: 1;
  person_id: string;
  at: number;
}

/** Settings of the club, and other single values such as the fingerprint of the key. */
export interface SettingsTable {
  name: string;
  /** JSON. */
  value: string;
  /** Whether the value is sealed with the key of the service. */
  sealed: Generated<0 | 1>;
  set_at: number;
}

/** A sensitive act that waits for the approval of a second person, or was decided. */
export interface ApprovalsTable {
  id: string;
  /** The act, as a sentence. */
  act: string;
  /** JSON list of what it does, each `{ label, value }`: figures, dates, names, reason. */
  details: string;
  /** The permission that the approving person needs. */
  permission: string;
  /** The request that asked for it. */
  method: string;
  url: string;
  is_form: 0 | 1;
  /** JSON of its body; null once it is decided or expired. */
  payload: string | null;
  /** SHA-256 of method, address and payload. */
  hash: string;
  /** `person:<id>` */
  asked_by: string;
  asked_at: number;
  decided_by: string | null;
  decided_at: number | null;
  decision: 'confirmed' | 'refused' | null;
  /** Which act of `GRAVE_ACTS` it is, at which address without its query; null: asked for in an earlier version. */
  kind: string | null;
  path: string | null;
  /** JSON of the valid input; null once it is decided or expired. */
  body: string | null;
}
