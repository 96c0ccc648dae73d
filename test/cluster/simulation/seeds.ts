/**
 * Seeds whose runs fail where a fault that was found is put back, with what each of them found. They find it again for as long as the models
 * and the code draw the same numbers: after a larger change they are looked for anew, with the fault put back. Others that were found are rare, and have tests of replicas.
 */
export const seedsOnceFailed: readonly { readonly seed: number; readonly found: string }[] = [
  {
    seed: 3,
    found: 'an owner that rests served after a renewal, while the others waited for less than a lease',
  },
  {
    seed: 23,
    found: 'the same',
  },
  {
    seed: 886,
    found:
      'a node with records that the servers had lost claimed a log that was as long as its own, and another',
  },
  {
    seed: 68,
    found:
      'a node that started with records that the servers had lost asked them first whether it lacks any, and others claimed without those',
  },
  {
    seed: 173,
    found:
      'a process that had removed its copy and read the log anew owned the log by a handover to it of long ago',
  },
  {
    seed: 672,
    found:
      'an owner that rested behind a later one put its records back in the place of newer ones that the servers had lost',
  },
]
