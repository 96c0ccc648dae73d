import { BackupRefusal } from '../../persistence/backup/refusal.ts'
import { ClusterRefusal } from '../../persistence/cluster/refusal.ts'
import { StoredVersionRefusal } from '../../persistence/codec/codec.ts'
import { Damaged } from '../../persistence/disk/damage.ts'
import { DataDirectoryRefusal } from '../../persistence/home/manifest.ts'
import { Unusable } from '../../persistence/home/usable.ts'
import { StreamMismatch } from '../../persistence/nats/require-stream.ts'
import { CommandFailure } from '../operator/command-line/service.ts'

/**
 * The operator's line for an error that the operator or the machine has to mend, without a stack. Null for a fault
 * of ours, whose stack is needed.
 */
export const operatorLine = (error: unknown): string | null => {
  if (error instanceof Damaged) return `${error.message}. Restore the data directory from a backup`
  if (ofOperators.some((kind) => error instanceof kind)) return (error as Error).message
  // A failed system call: Node's text has its code, the call, and the path or address.
  return error instanceof Error && 'syscall' in error ? error.message : null
}

const ofOperators = [
  BackupRefusal,
  ClusterRefusal,
  CommandFailure,
  DataDirectoryRefusal,
  StoredVersionRefusal,
  StreamMismatch,
  Unusable,
]
