import t from 'tap'
import { everyKill } from '../../rails/faults/story.ts'
import { everyRound, runFaults } from '../../rails/faults/table.ts'

/**
 * The table of faults of the way to banks (rails, section 7): every row as it is, and killed at one of its points, which another seed of
 * `FAULT_SEED` chooses. `npm run rails -- --faults` kills at all of them.
 */
const seed = Number(process.env.FAULT_SEED ?? 1)
const rounds = process.env.FAULT_ROUNDS === 'all' ? everyRound : [null, everyKill[seed % everyKill.length]!]

t.test(`faults of the way to banks, seed ${seed}`, { timeout: 600_000 }, (t) => runFaults(t, rounds, seed))
