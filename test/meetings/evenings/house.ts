/** What the service answered. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what the service answered.
  body: any;
}

/** A press at the door. */
export interface Press {
  person_id?: string;
  action: 'in' | 'out' | 'undo' | 'card' | 'all_out';
  press?: string;
  undoes?: string;
  for?: string;
  gave_back?: boolean;
  class?: string;
  ago?: number;
}

/** What a batch of papers says: yes, no or blank of each. */
export type Marks = readonly ('yes' | 'no' | 'blank')[];

/** A meeting as officers, members and the wall reach it. */
export interface House {
  door(press: Press): Promise<Reply>;
  /** GET of the door: proxies, people, who waits. */
  seen(): Promise<Reply>;
  scan(codes: string[]): Promise<Reply>;
  /** Another card for a stub. */
  replace(stub: string): Promise<Reply>;
  /** The holder of a lost card makes it void. */
  voidCard(stub: string): Promise<Reply>;
  printPack(name: string): Promise<{ id: string; cards: { code: string; stub: string }[] }>;
  openPack(id: string): Promise<Reply>;
  /** Packs that were not opened die, and the attendance is counted. */
  closeDoor(): Promise<Reply>;
  renew(): Promise<Reply>;
  enterProxy(giver: string, holder: string): Promise<Reply>;
  removeProxy(id: string): Promise<Reply>;
  /** Makes a link for somebody without an address, whose letter says it. */
  invite(person: { id: string; name: string }): Promise<Reply & { code?: string }>;
  withdraw(person: { name: string }): Promise<Reply>;
  /** Another link in place of the one that somebody has or had. */
  replaceLink(person: { name: string }): Promise<Reply & { code?: string }>;
  here(code: string): Promise<Reply>;
  /** Whether the page of a phone that keeps this card shows a ballot. */
  showsBallot(code: string): Promise<boolean>;
  cast(code: string, question: { election: string }): Promise<Reply>;
  add(fields: object): Promise<{ item: string; election: string }>;
  act(item: string, name: string, payload?: object): Promise<Reply>;
  /** Counts papers of a closed question: two people enter them, and they join. */
  countPapers(item: string, marks: Marks): Promise<Reply>;
  /** Fills in how many papers were in the box. */
  fillSheet(item: string, in_box: number): Promise<Reply>;
  /** Changes the meeting itself. */
  change(fields: object): Promise<Reply>;
  /** GET of the meeting, with its items. */
  read(): Promise<Reply>;
  /** GET /m/:id */
  shown(): Promise<Reply>;
  wall(): Promise<string>;
  minutes(): Promise<Reply>;
  /** What of the meeting and its questions is said not to be as the log has it. */
  differences(): Promise<string[]>;
}
