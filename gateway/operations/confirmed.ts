import type { DirectoryEvent } from '../../engine/directory/directory.ts'
import type { Asker } from '../identity/asked.ts'
import type { OperationsOptions } from './operation-options.ts'

/**
 * Commits what needs a second factor for this very operation. Everything that can refuse it does so first: a code is used up by what it
 * confirms, and by nothing else.
 */
export const confirmed = async (
  { commit, confirm }: Pick<OperationsOptions, 'commit' | 'confirm'>,
  by: Asker,
  decide: () => DirectoryEvent | null,
): Promise<void> => {
  if (decide() === null) return
  await confirm(by)
  await commit(decide, by)
}
