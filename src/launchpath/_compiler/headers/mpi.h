// MPI's usual functions as declarations.
#pragma once

typedef struct __lp_mpi_comm *MPI_Comm;
typedef struct __lp_mpi_datatype *MPI_Datatype;
typedef struct __lp_mpi_op *MPI_Op;
typedef struct __lp_mpi_request *MPI_Request;
typedef struct __lp_mpi_group *MPI_Group;
typedef struct __lp_mpi_info *MPI_Info;
typedef struct __lp_mpi_win *MPI_Win;
typedef long MPI_Aint;
typedef struct MPI_Status { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;

#define __LP_MPI_HANDLE(type, n) ((type)(unsigned long)(n))
#define MPI_COMM_NULL __LP_MPI_HANDLE(MPI_Comm, 0)
#define MPI_COMM_WORLD __LP_MPI_HANDLE(MPI_Comm, 1)
#define MPI_COMM_SELF __LP_MPI_HANDLE(MPI_Comm, 2)
#define MPI_INFO_NULL __LP_MPI_HANDLE(MPI_Info, 0)
#define MPI_REQUEST_NULL __LP_MPI_HANDLE(MPI_Request, 0)
#define MPI_DATATYPE_NULL __LP_MPI_HANDLE(MPI_Datatype, 0)
#define MPI_CHAR __LP_MPI_HANDLE(MPI_Datatype, 1)
#define MPI_BYTE __LP_MPI_HANDLE(MPI_Datatype, 2)
#define MPI_SHORT __LP_MPI_HANDLE(MPI_Datatype, 3)
#define MPI_INT __LP_MPI_HANDLE(MPI_Datatype, 4)
#define MPI_LONG __LP_MPI_HANDLE(MPI_Datatype, 5)
#define MPI_LONG_LONG __LP_MPI_HANDLE(MPI_Datatype, 6)
#define MPI_UNSIGNED __LP_MPI_HANDLE(MPI_Datatype, 7)
#define MPI_UNSIGNED_LONG __LP_MPI_HANDLE(MPI_Datatype, 8)
#define MPI_UNSIGNED_LONG_LONG __LP_MPI_HANDLE(MPI_Datatype, 9)
#define MPI_FLOAT __LP_MPI_HANDLE(MPI_Datatype, 10)
#define MPI_DOUBLE __LP_MPI_HANDLE(MPI_Datatype, 11)
#define MPI_UINT64_T __LP_MPI_HANDLE(MPI_Datatype, 12)
#define MPI_INT64_T __LP_MPI_HANDLE(MPI_Datatype, 13)
#define MPI_UNSIGNED_CHAR __LP_MPI_HANDLE(MPI_Datatype, 14)
#define MPI_SUM __LP_MPI_HANDLE(MPI_Op, 1)
#define MPI_MAX __LP_MPI_HANDLE(MPI_Op, 2)
#define MPI_MIN __LP_MPI_HANDLE(MPI_Op, 3)
#define MPI_PROD __LP_MPI_HANDLE(MPI_Op, 4)
#define MPI_LAND __LP_MPI_HANDLE(MPI_Op, 5)
#define MPI_LOR __LP_MPI_HANDLE(MPI_Op, 6)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_SUCCESS 0
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-2)
#define MPI_UNDEFINED (-3)
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_COMM_TYPE_SHARED 1
#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3

extern "C" {
int MPI_Init(int *, char ***);
int MPI_Init_thread(int *, char ***, int, int *);
int MPI_Initialized(int *);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm, int);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Comm_split_type(MPI_Comm, int, int, MPI_Info, MPI_Comm *);
int MPI_Comm_free(MPI_Comm *);
int MPI_Cart_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Cart_coords(MPI_Comm, int, int, int *);
int MPI_Cart_shift(MPI_Comm, int, int, int *, int *);
int MPI_Dims_create(int, int, int *);
int MPI_Get_processor_name(char *, int *);
int MPI_Barrier(MPI_Comm);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm,
                 MPI_Status *);
int MPI_Wait(MPI_Request *, MPI_Status *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
int MPI_Test(MPI_Request *, int *, MPI_Status *);
int MPI_Get_count(const MPI_Status *, MPI_Datatype, int *);
int MPI_Reduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Scan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Gather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Gatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype, int, MPI_Comm);
int MPI_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Scatter(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Type_contiguous(int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_vector(int, int, int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_commit(MPI_Datatype *);
int MPI_Type_free(MPI_Datatype *);
double MPI_Wtime(void);
}
