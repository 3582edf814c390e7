import { badField } from '#kernel/http/errors.ts';
import { ownValue } from '#kernel/own-value.ts';
import { sortName } from '#people/persons.ts';

/** The fields that a column can hold, with their known headers, reduced to letters and digits. */
const HEADERS = {
  person_id: 'personid',
  number:
    'number no membernumber memberno membernr memberid membershipnumber membershipno mitgliedsnummer mitgliedsnr mitgliednr nummer nr numero numeroadherent numerodadherent nadherent numeromembre numerodemembre numerosocio numerodesocio nsocio',
  name: 'name fullname membername displayname vollername vollstandigername nomcomplet nometprenom nomprenom nombrecompleto nombreyapellidos apellidosynombre',
  first_name: 'firstname givenname forename vorname prenom nombre nombredepila',
  last_name: 'lastname surname familyname nachname familienname zuname nom nomdefamille apellido apellidos',
  called: 'called nickname preferredname knownas rufname spitzname surnom apodo',
  email:
    'email emails emailaddress emailaddresses mail mailaddress mailadresse emailadresse primaryemail email1 courriel adressemail adresseemail adresseelectronique correo correoelectronico',
  kind: 'kind membership membershiptype membershiplevel membershipstatus membertype memberstatus type level status mitgliedsart mitgliedschaft mitgliedsstatus art typ statut typedadhesion typeadhesion typedemembre categorie tipo tipodesocio categoria estado',
  first_day:
    'firstday since membersince joined joinedon joindate joiningdate datejoined startdate start from eintritt eintrittsdatum eintrittam mitgliedseit beginn seit dateadhesion datedadhesion datedentree membredepuis depuis fechadealta alta fechadeingreso miembrodesde sociodesde desde',
  last_day:
    'lastday until enddate end to left lefton leavingdate expiry expirydate expirationdate expires expiration austritt austrittsdatum austrittam mitgliedbis ende bis datefin datedefin datedesortie datededepart finadhesion fechadebaja baja hasta',
  groups: 'groups group teams gruppe gruppen groupe groupes grupo grupos',
  note: 'note notes comment comments remark remarks bemerkung bemerkungen notiz notizen anmerkung remarque remarques commentaire nota notas observaciones comentario',
} as const;

export type Field = keyof typeof HEADERS;

export const FIELDS = Object.keys(HEADERS) as Field[];

const BY_HEADER: Record<string, Field> = Object.fromEntries(
  FIELDS.flatMap((field) => HEADERS[field].split(' ').map((header) => [header, field])),
);

/** A column of the file, with its field, or null if it is not read. */
export interface Column {
  header: string;
  field: Field | null;
}

/**
 * Determines the field of each column by its header. `mapping` (header to field, or an empty string to skip the column)
 * takes precedence.
 * @throws 400 for a mapping with unknown headers or fields, and for a file without names
 */
export function readColumns(headers: readonly string[], mapping: Readonly<Record<string, string>>): Column[] {
  const chosen = new Set<Field>();
  for (const [header, field] of Object.entries(mapping)) {
    if (!headers.some((one) => one.trim() === header.trim()))
      throw badField('mapping', `the file has no column “${header}”`);
    if (field === '') continue;
    if (!isField(field)) throw badField(`mapping.${header}`, `must be one of ${FIELDS.join(', ')}`);
    if (chosen.has(field)) throw badField(`mapping.${header}`, `another column is ${field} already`);
    chosen.add(field);
  }
  const trimmed = Object.fromEntries(
    Object.entries(mapping).map(([header, field]) => [header.trim(), field]),
  );
  const columns = headers.map((header): Column => {
    const mapped = ownValue(trimmed, header.trim());
    if (mapped !== undefined)
      return { header: header.trim(), field: mapped === '' ? null : (mapped as Field) };
    const field = fieldOf(header);
    if (field === undefined || chosen.has(field)) return { header: header.trim(), field: null };
    chosen.add(field);
    return { header: header.trim(), field };
  });
  settleNames(columns, mapping);
  if (!columns.some(({ field }) => field === 'name' || field === 'last_name'))
    throw badField('csv', `no column holds names: ${columns.map(({ header }) => `“${header}”`).join(', ')}`);
  return columns;
}

export const isField = (text: string): text is Field => Object.hasOwn(HEADERS, text);

function fieldOf(header: string): Field | undefined {
  return ownValue(BY_HEADER, sortName(header).replace(/[^\p{L}\p{N}]/gu, ''));
}

/** `Name` beside `Vorname` is the family name; `Nom` and `Nombre` alone are whole names. */
function settleNames(columns: Column[], mapping: Readonly<Record<string, string>>): void {
  const of = (field: Field) => columns.find((column) => column.field === field);
  const [whole, first, last] = [of('name'), of('first_name'), of('last_name')];
  const mapped = (column: Column) => Object.hasOwn(mapping, column.header);
  if (whole && first && !last && !mapped(whole)) whole.field = 'last_name';
  if (!whole && last && !first && !mapped(last)) last.field = 'name';
  if (!whole && first && !last && !mapped(first)) first.field = 'name';
}
