/** A backup cannot be made or restored; the message is for the operator. */
export const BackupRefusal = class extends Error {}
