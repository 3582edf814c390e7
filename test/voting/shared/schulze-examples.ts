import fs from 'node:fs';

export type Matrix = Record<string, Record<string, number>>;

export interface Vector {
  name: string;
  candidates: string[];
  /** Groups of candidates, best first; missing candidates are tied last. */
  ballots: { count: number; ranking: string[][] }[];
  expected: {
    condorcet_winner: string | null;
    schulze_order: string[][];
    schulze_path_strengths_wv?: Matrix;
    pairwise?: Matrix;
  };
}

export const published: Vector[] = JSON.parse(
  fs.readFileSync(new URL('./condorcet-vectors.json', import.meta.url), 'utf8'),
);

/** More examples: orders and path strengths as published in Schulze 2018, chapter 3, and by RBVote (921 votes). */
export const more: Vector[] = [
  example('Schulze 2018, example 1', 'ACD*8 BAD*2 CDB*4 DBA*4 DCB*3', 'D A C B', null, {
    A: { B: 14, C: 14, D: 12 },
    B: { A: 13, C: 13, D: 12 },
    C: { A: 13, B: 15, D: 12 },
    D: { A: 13, B: 19, C: 13 },
  }),
  example(
    'Schulze 2018, example 3: 45 voters',
    'ACBED*5 ADECB*5 BEDAC*8 CABED*3 CAEBD*7 CBADE*2 DCEBA*7 EBADC*8',
    'E A C B D',
    null,
    {
      A: { B: 28, C: 28, D: 30, E: 24 },
      B: { A: 25, C: 28, D: 33, E: 24 },
      C: { A: 25, B: 29, D: 29, E: 24 },
      D: { A: 25, B: 28, C: 28, E: 24 },
      E: { A: 25, B: 28, C: 28, D: 31 },
    },
  ),
  example(
    'Schulze 2018, example 10: equal ranks',
    'ABCD*6 A=B*8 A=C*8 A=CD*18 A=C=D*8 B*40 CBDA*4 CDAB*9 C=D*8 DABC*14 DBCA*11 DCAB*4',
    'D A B C',
    null,
    {
      A: { B: 67, C: 67, D: 45 },
      B: { A: 45, C: 79, D: 45 },
      C: { A: 45, B: 45, D: 45 },
      D: { A: 50, B: 72, C: 72 },
    },
  ),
  example(
    'Schulze 2018, example 11',
    'ADBEC*9 BCADE*6 BCDEA*5 CDBEA*2 DECBA*6 EACBD*14 ECABD*2 EDACB*1',
    'B E A=C D',
    null,
    {
      A: { B: 26, C: 28, D: 31, E: 28 },
      B: { A: 27, C: 27, D: 27, E: 27 },
      C: { A: 28, B: 26, D: 29, E: 28 },
      D: { A: 28, B: 26, C: 28, E: 28 },
      E: { A: 30, B: 26, C: 32, D: 30 },
    },
  ),
  example('Schulze 2018, example 13: a small tie', 'ABC*2 BCA*2 CAB*1', 'A=B C', null, {
    A: { B: 3, C: 3 },
    B: { A: 3, C: 4 },
    C: { A: 3, B: 3 },
  }),
  example(
    'RBVote, Abby, Brad, Cora, Dave and Erin',
    'ACEDB*98 BAECD*64 BAEDC*12 BEACD*98 BEADC*13 BEDAC*125 CAEDB*124 CEADB*76 DABEC*21 DBAEC*30 DBECA*98 DCABE*139 DCBAE*23',
    'A B E D C',
    null,
  ),
];

/** Builds an example: candidates are letters, "A=CD*18" means 18 ballots A = C > D; orders are written "A=B C". */
function example(
  name: string,
  votes: string,
  order: string,
  condorcet_winner: string | null,
  schulze_path_strengths_wv?: Matrix,
): Vector {
  const groupsOf = (text: string) => (text.match(/[A-Z](=[A-Z])*/g) ?? []).map((group) => group.split('='));
  const ballots = votes.split(' ').map((line) => {
    const [ranking = '', count] = line.split('*');
    return { count: Number(count), ranking: groupsOf(ranking) };
  });
  const candidates = groupsOf(order).flat().sort();
  const expected = { condorcet_winner, schulze_order: groupsOf(order) };
  return {
    name,
    candidates,
    ballots,
    expected: schulze_path_strengths_wv ? { ...expected, schulze_path_strengths_wv } : expected,
  };
}
