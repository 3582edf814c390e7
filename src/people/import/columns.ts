import {
  byHeader,
  type Fields,
  findHeaders as findHeadersOf,
  type Column as ListColumn,
  mostly,
  readColumns as readColumnsOf,
} from '#kernel/lists/columns.ts';
import { headerKey, isEmailHeader } from '#kernel/lists/headers.ts';
import { ownValue } from '#kernel/own-value.ts';
import { type DateOrder, readDay } from './days.ts';

/** The fields that a column can hold, with their known headers, reduced to letters and digits. */
const HEADERS = {
  person_id: 'personid',
  number:
    'number no membernumber memberno membernr memberid membershipnumber membershipno mitgliedsnummer ' +
    'mitgliedsnr mitgliednr nummer nr numero numeroadherent numerodadherent nadherent numeromembre ' +
    'numerodemembre numerosocio numerodesocio nsocio lidnummer lidnr nummerlid numerotessera tessera',
  name:
    'name fullname membername displayname vollername vollstandigername nomcomplet nometprenom nomprenom ' +
    'nombrecompleto nombreyapellidos apellidosynombre naam volledigenaam nominativo nomecompleto ' +
    'nomeecognome cognomeenome',
  first_name: 'firstname givenname forename vorname prenom nombre nombredepila voornaam nome',
  last_name:
    'lastname surname familyname nachname familienname zuname nom nomdefamille apellido apellidos ' +
    'achternaam familienaam cognome',
  called: 'called nickname preferredname knownas rufname spitzname surnom apodo roepnaam soprannome',
  email:
    'email emails emailaddress emailaddresses mail mailaddress mailadresse emailadresse primaryemail ' +
    'email1 courriel adressemail adresseemail adresseelectronique correo correoelectronico',
  kind:
    'kind membership membershiptype membershiplevel membershipstatus membertype memberstatus type level ' +
    'status mitgliedsart mitgliedschaft mitgliedsstatus art typ statut typedadhesion typeadhesion ' +
    'typedemembre categorie tipo tipodesocio categoria estado category class grade membercategory ' +
    'membershipcategory memberclass membershipclass membergrade kategorie mitgliedskategorie ' +
    'beitragsklasse classe lidmaatschap soortlid lidsoort soort tiposocio tipodisocio',
  first_day:
    'firstday since membersince joined joinedon joindate joiningdate datejoined startdate start from ' +
    'eintritt eintrittsdatum eintrittam mitgliedseit beginn seit dateadhesion datedadhesion datedentree ' +
    'membredepuis depuis fechadealta alta fechadeingreso miembrodesde sociodesde desde lidsinds lidvanaf ' +
    'ingangsdatum inschrijfdatum iscrizione dataiscrizione datadiiscrizione iscrittodal sociodal',
  last_day:
    'lastday until enddate end to left lefton leavingdate expiry expirydate expirationdate expires ' +
    'expiration austritt austrittsdatum austrittam mitgliedbis ende bis datefin datedefin datedesortie ' +
    'datededepart finadhesion fechadebaja baja hasta tot einddatum uitschrijfdatum scadenza datascadenza ' +
    'finoal',
  groups: 'groups group teams gruppe gruppen groupe groupes grupo grupos groep groepen gruppo gruppi',
  note:
    'note notes comment comments remark remarks bemerkung bemerkungen notiz notizen anmerkung remarque ' +
    'remarques commentaire nota notas observaciones comentario opmerking opmerkingen osservazioni',
} as const;

export type Field = keyof typeof HEADERS;

export const FIELDS = Object.keys(HEADERS) as Field[];

const BY_HEADER = byHeader<Field>(HEADERS);

/** How a file is read, as far as an officer has said so. */
export interface FileOptions {
  mapping: Readonly<Record<string, string>>;
  date_order?: DateOrder | undefined;
  /** The order if none is given and the days do not show it. */
  likely_order?: DateOrder | undefined;
  /** Whether rows may have days without a kind of membership: those that have none get a kind of the club. */
  daysAlone?: boolean;
}

export type Column = ListColumn<Field>;

/** Whether a column holds names. */
export const hasNames = (columns: readonly Column[]): boolean =>
  columns.some(({ field }) => field === 'name' || field === 'last_name');

/** The index of the record with the headers. */
export const findHeaders = (records: readonly { cells: readonly string[] }[]): number =>
  findHeadersOf(records, { fieldOf });

/**
 * Determines the field of each column by its header, or as `mapping` says.
 * @throws 400 for a mapping with unknown headers or fields
 */
export function readColumns(headers: readonly string[], mapping: Readonly<Record<string, string>>): Column[] {
  const columns = readColumnsOf(headers, mapping, PEOPLE);
  settleNames(columns, mapping);
  return columns;
}

export const isField = (text: string): text is Field => Object.hasOwn(HEADERS, text);

function fieldOf(header: string): Field | undefined {
  return ownValue(BY_HEADER, headerKey(header)) ?? (isEmailHeader(header) ? 'email' : undefined);
}

/** The most kinds that a club has: a column with more different values holds something else. */
const KINDS_AT_MOST = 12;

/** The fields of a list of people. */
export const PEOPLE: Fields<Field> = {
  names: FIELDS,
  fieldOf,
  // A person may have several addresses; whether that of a partner is one of them is for the officer to say.
  mayRepeat: (field, header, isMapped) =>
    field === 'email' && (isMapped || !headerKey(header).includes('partner')),
  looksLike: {
    email: (filled) => mostly(filled, (text) => text.includes('@') && !/\s/.test(text)),
    first_day: (filled) => mostly(filled, (text) => !/^\d+$/.test(text) && readDay(text, 'dmy').ok),
    kind: (filled) => {
      const different = new Set(filled).size;
      return (
        different <= KINDS_AT_MOST &&
        different * 2 <= filled.length &&
        mostly(filled, (text) => /^\p{L}/u.test(text))
      );
    },
    number: (filled) =>
      new Set(filled).size === filled.length && filled.every((text) => /^\d{1,10}$/.test(text)),
  },
};

/** `Name` beside `Vorname` is the family name; `Nom` and `Nombre` alone are whole names. */
function settleNames(columns: Column[], mapping: Readonly<Record<string, string>>): void {
  const of = (field: Field) => columns.find((column) => column.field === field);
  const [whole, first, last] = [of('name'), of('first_name'), of('last_name')];
  const mapped = (column: Column) => Object.hasOwn(mapping, column.header);
  if (whole && first && !last && !mapped(whole)) whole.field = 'last_name';
  if (!whole && last && !first && !mapped(last)) last.field = 'name';
  if (!whole && first && !last && !mapped(first)) first.field = 'name';
}
