import type { Identity } from '#kernel/access/permissions.ts';
import type { Html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { type AuditLogProps, auditLog } from '#views/voting/admin/audit-log.ts';
import { staffPage } from './staff-frame.ts';

/** The audit log for the staff of the pub, who may not open the officers' pages. */
export function staffAuditPage(log: AuditLogProps, identity: Identity | undefined): Html {
  const path = '/admin/pub/audit';
  const head = stylesheets('officers');
  return staffPage({
    title: t('pub-staff.staff_audit.audit_log'),
    body: auditLog(log, path),
    nav: path,
    identity,
    head,
  });
}
