/** A problem in a data directory, in one line for the operator, and its repair. */
export type Finding = {
  readonly text: string
  /** Null when no other source can restore the data. */
  readonly repair: Repair | null
}

export type Repair =
  /** Makes a shard's snapshot again from its journal. */
  | { readonly of: 'SNAPSHOT'; readonly shardPath: string }
  /** Sets a node's copy of a cluster's log aside, and any snapshot beside it: the node fetches the log again. */
  | { readonly of: 'LOG'; readonly path: string; readonly identity: string }
  /** Writes a journal's identity again: its seals begin with it. */
  | { readonly of: 'IDENTITY'; readonly path: string; readonly identity: string }

/** A finding; without a repair a person has to look. */
export const finding = (text: string, repair: Repair | null = null): Finding => ({ text, repair })

/** What to do about a damage, as the end of its line. */
export const todoOf = (repair: Repair | null): string => {
  switch (repair?.of) {
    case undefined:
      return 'restore the data directory from a backup'
    case 'SNAPSHOT':
      return 'the next start makes it again from the journal, and so does payments verify --repair'
    case 'LOG':
      return 'the node fetches it again from the cluster when it starts, or stop it and run payments verify --repair'
    case 'IDENTITY':
      return 'payments verify --repair writes it again'
  }
}
