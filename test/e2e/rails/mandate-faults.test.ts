import t from 'tap'
import { storiesOfMandates } from '../../rails/faults/stories-of-mandates.ts'
import { chosenRound, runFaults } from '../../rails/faults/table.ts'

/**
 * The table of faults as far as it is about Pix Automático (rails, sections 4 and 10, R4 and R6), over weeks of the clock: one round, which
 * another seed of `FAULT_SEED` chooses.
 */
const { seed, kills } = chosenRound()

t.test(`faults of mandates, seed ${seed}`, { timeout: 600_000 }, (t) =>
  runFaults(t, { stories: storiesOfMandates, kills, seed }),
)
