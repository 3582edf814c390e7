// Written by `npm run texts -- --write`.
import type { Tag, Value } from '#kernel/language/words.ts';

export interface Values {
  'sign-in.oidc.add_account': { name: Value };
  'sign-in.oidc.came_with': { account: Value; link: Tag };
  'sign-in.oidc.go_on_at': { name: Value };
  'sign-in.oidc.not_known': { name: Value };
  'sign-in.oidc.remove': { hidden: Tag; issuer: Value; since: Value };
  'sign-in.oidc.sign_out': { name: Value };
  'sign-in.oidc.since': { since: Value };
  'sign-in.oidc.still_signed_in': { name: Value };
  'sign-in.passkeys.made_and_used': { created: Value; used: Value };
  'sign-in.passkeys.made_elsewhere': { elsewhere: Value };
  'sign-in.passkeys.made_not_used': { created: Value };
  'sign-in.passkeys.remove': { hidden: Tag; name: Value };
  'sign-in.set_up.club_name_hint': { name: Value };
  'sign-in.sign_in.as_address': { email: Value };
  'sign-in.sign_in.code_on_its_way': { email: Value };
  'sign-in.sign_in.no_mail_advice': { link: Tag; recovery: Tag };
  'sign-in.sign_in.signing_in_as': { email: Value };
  'sign-in.sign_in.with_provider': { provider: Value };
  'sign-in.sign_in.with_provider_and_stay': { provider: Value };
  'sign-in.sudo.code_on_its_way': { address: Value };
  'sign-in.sudo.confirm_with': { account: Value };
  'sign-in.sudo.lede_ways': { ways: Value };
  'sign-in.sudo.link_of_server': { code: Tag; address: Value };
  'sign-in.sudo.way_account': { account: Value };
}
