// Which process this is: names of temporary files tell processes apart by it, and threads know whether they were left
// behind by a fork.
#pragma once

namespace dragoman {

// 0 where the system has no processes.
int process_id();

}  // namespace dragoman
