/** What is wrong in a data directory, in one line for the operator, and how it is made whole. */
export type Finding = {
  readonly text: string
  /** Null where nothing else says what should be there. */
  readonly repair: Repair | null
}

export type Repair =
  /** A shard's snapshot is made again from its journal. */
  | { readonly of: 'SNAPSHOT'; readonly shardPath: string }
  /** What a node has of a log of its cluster is set aside, and fetched again; so is the snapshot beside it, if it has one. */
  | { readonly of: 'LOG'; readonly path: string; readonly identity: string }
  /** A journal's name is written again: its seals begin with it. */
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
