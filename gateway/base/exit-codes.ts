/** How a process ends that was told to: by codes of sysexits.h, which supervisors know by name. */
export const exitCodes = {
  /** TEMPFAIL: whatever watches the process starts it again, also where that restarts failures alone. */
  RESTART: 75,
  /** CONFIG: a start would be refused. */
  REMOVED: 78,
} as const
