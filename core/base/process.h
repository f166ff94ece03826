// The process we are in: which one it is (names of temporary files tell processes apart by it, and threads know whether
// they were left behind by a fork), and memory that it holds without need.
#pragma once

namespace dragoman {

// 0 where the system has no processes.
int process_id();

// Gives memory that was freed back to the system, where the allocator would keep it for later. Takes a tenth of a
// millisecond or two, so it is for the end of larger work: what one long sentence needed is not kept for ever.
void return_free_memory();

// From now on large blocks go back to the system at once when they are freed. By itself the allocator keeps blocks as
// large as the largest that was ever freed, of every thread its own, in holes of which little is used again. This holds
// for the whole process, so that it is for our own commands alone to ask for it.
void return_large_blocks();

}  // namespace dragoman
