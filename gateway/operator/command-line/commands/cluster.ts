import type { Command } from 'commander'
import { type CommandContext, callsOperation } from '../command.ts'

/** `payments cluster …`. */
export const addClusterCommands = (program: Command, context: CommandContext): void => {
  const cluster = program.command('cluster').description('the nodes of a cluster and their shards')
  cluster
    .command('status')
    .description('how the nodes are, who owns each shard, and how far the others are behind')
    .action(callsOperation(context))
  cluster
    .command('drain')
    .argument('<node>', 'node id')
    .description('hand all shards of a node to others; it takes none until it starts again')
    .action(callsOperation(context))
  cluster
    .command('move')
    .argument('<shard>', 'number of the shard')
    .argument('<node>', 'node id, or auto: wherever the cluster thinks best')
    .description('give a shard to a node, and leave it there')
    .action(callsOperation(context))
  cluster
    .command('finalize')
    .option('--dry-run', 'say what it would do, and do nothing')
    .description('finish an upgrade: nodes write what only the new build reads, and there is no way back')
    .action(callsOperation(context))
}
