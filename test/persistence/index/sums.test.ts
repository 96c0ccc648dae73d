import t from 'tap'
import { countRow, newFigures } from '../../../persistence/index/figures.ts'
import { newGroupSums } from '../../../persistence/index/group-sums.ts'
import { seeded } from '../../engine/world.ts'

t.test('sums are exact to the centavo, far beyond what a double holds', async (t) => {
  const entropy = seeded(4)
  const size = 4096
  const sums = newGroupSums((code) => code !== 9, 2)
  const expected = new Map<number, { count: number; sums: [bigint, bigint] }>()
  const everyRow = Uint16Array.from({ length: size }, (_, row) => row)
  const segments = ['largest', 'whole', 'rows', 'huge'] as const
  for (let round = 0; round < 40; round++) {
    const kind = segments[round % segments.length]!
    const max = kind === 'huge' ? Number.MAX_SAFE_INTEGER : 999_999_999_999
    const codes = Uint16Array.from({ length: size }, () => [1, 2, 300, 9][entropy() % 4]!)
    const cents = Float64Array.from({ length: size }, () =>
      kind === 'rows' ? (entropy() * 4096) % 1_000_000 : max - (entropy() % 3),
    )
    const zeros = new Float64Array(size)
    const columns = [cents, round % 2 === 0 ? zeros : cents]
    const figures = newFigures()
    for (let row = 0; row < size; row++) {
      countRow(figures, codes[row]!, 1, columns, row)
      // Counted out and in again, as for every change.
      countRow(figures, codes[row]!, -1, columns, row)
      countRow(figures, codes[row]!, 1, columns, row)
    }
    t.equal(figures.isExact, kind !== 'huge')
    const rows = everyRow.slice()
    const wanted = sums.filterWanted(codes, rows, size)
    if (kind === 'whole' || kind === 'largest') {
      t.equal(sums.countOf(figures), wanted)
      sums.addFigures(figures)
    } else sums.addRows(figures, codes, columns, rows, wanted)
    for (let row = 0; row < size; row++) {
      if (codes[row] === 9) continue
      const own = expected.get(codes[row]!) ?? { count: 0, sums: [0n, 0n] }
      own.count += 1
      own.sums[0] += BigInt(columns[0]![row]!)
      own.sums[1] += BigInt(columns[1]![row]!)
      expected.set(codes[row]!, own)
    }
  }
  const found = new Map(sums.groups().map(({ code, count, sums }) => [code, { count, sums: [...sums] }]))
  t.strictSame(found, expected)
  t.ok([...expected.values()].every(({ sums }) => sums[0] > 2n ** 60n))
})

t.test('which groups are wanted is asked once for each', async (t) => {
  let asked = 0
  const sums = newGroupSums((code) => {
    asked += 1
    return code === 5
  }, 1)
  const codes = Uint16Array.from([5, 6, 5, 7, 6])
  const rows = Uint16Array.from([4, 3, 2, 1, 0])
  t.equal(sums.filterWanted(codes, rows, 5), 2)
  t.strictSame([...rows.subarray(0, 2)], [2, 0])
  t.notOk(sums.wants(6))
  t.ok(sums.wants(5))
  t.equal(asked, 3)
})
