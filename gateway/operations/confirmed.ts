import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { Asker } from '../identity/asked.ts'
import type { OperationsOptions } from './operation-options.ts'

/**
 * Commits a fact that needs a second factor for this very operation. `decide` runs before the factor is taken, so
 * that a code is used up only by what it confirms.
 */
export const confirmed = async (
  { commit, confirm }: Pick<OperationsOptions, 'commit' | 'confirm'>,
  by: Asker,
  decide: () => DirectoryFact | null,
): Promise<void> => {
  if (decide() === null) return
  await confirm(by)
  await commit(decide, by)
}
