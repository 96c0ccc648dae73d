/** Why no backup is made or restored, in words for the operator. */
export const BackupRefusal = class extends Error {}
