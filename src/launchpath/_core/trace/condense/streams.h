/* Streams of the condenser: their last command's end, and gaps. Part of condense.h. */

/* Below 1 us, 10 us, 100 us, 1 ms, 10 ms, and more. */
static inline uint32_t gap_class(uint64_t gap) { return gap < 1000 ? 0 : gap < 10000 ? 1 : gap < 100000 ? 2 : gap < 1000000 ? 3 : gap < 10000000 ? 4 : 5; }

/* A run of gaps of a class has ended. */
static void condense_run(condenser *of, stream_gaps *it) {
    condense_value(of, cell_of(&of->all, &it->runs, TABLE_RUN, (uint64_t)it->device << 3 | it->run_class), (int64_t)it->run, 0);
    it->run = 0;
}

/* The runs of all streams end here. */
static void streams_end(condenser *of) {
    uint32_t i;
    for (i = 0; i < of->streams_room; i++)
        if (of->streams[i] && of->streams[i]->run) condense_run(of, of->streams[i]);
}

/* Forget all streams: of a program that makes more and more, most have no further commands. */
static void streams_forget(condenser *of) {
    uint32_t i;
    streams_end(of);
    for (i = 0; i < of->streams_room; i++) free(of->streams[i]), of->streams[i] = 0;
    of->n_streams = 0, of->recent = 0;
}

/* What is known of a stream; NULL: there is no memory. */
static stream_gaps *streams_find(condenser *of, uint32_t device, uint32_t stream) {
    uint64_t place;
    stream_gaps *it;
    if ((of->n_streams + 1) * 2 > of->streams_room) {
        uint32_t i, room = of->streams_room ? of->streams_room * 2 : 64;
        stream_gaps **streams = (stream_gaps **)calloc(room, sizeof *streams);
        if (streams == 0) return 0;
        for (i = 0; i < of->streams_room; i++) {
            if (of->streams[i] == 0) continue;
            for (place = cell_hash(of->streams[i]->device, of->streams[i]->stream) & (room - 1); streams[place]; place = (place + 1) & (room - 1)) {}
            streams[place] = of->streams[i];
        }
        free(of->streams);
        of->streams = streams, of->streams_room = room;
    }
    for (place = cell_hash(device, stream) & (of->streams_room - 1); (it = of->streams[place]) != 0; place = (place + 1) & (of->streams_room - 1))
        if (it->stream == stream && it->device == device) return it;
    if (of->n_streams == STREAMS_MOST) {
        streams_forget(of);
        place = cell_hash(device, stream) & (of->streams_room - 1);
    }
    it = (stream_gaps *)calloc(1, sizeof *it);
    if (it == 0) return 0;
    it->device = device, it->stream = stream, it->run_class = GAP_CLASSES;
    it->of = cells_find(&of->all, TABLE_STREAM, (uint64_t)device << 32 | stream);
    of->streams[place] = it, of->n_streams += 1;
    return it;
}

/* Note that a stream has a command. */
static inline stream_gaps *condenser_stream(condenser *of, uint32_t device, uint32_t stream) {
    stream_gaps *it = of->recent;
    if (it == 0 || it->stream != stream || it->device != device) it = of->recent = streams_find(of, device, stream);
    if (it == 0 || it->of == 0) of->failed = 1;
    else it->of->calls += 1;
    return it;
}

